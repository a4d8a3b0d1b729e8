import base64, json, sys

from verify import is_genuine, is_genuine_and_fresh

for one in json.load(sys.stdin):
    body = base64.b64decode(one["body"])
    genuine = is_genuine(one["secret"], body, one["signature"])
    fresh = is_genuine_and_fresh(one["secret"], body, one["id"], one["timestamp"], one["signatures"])
    print(str(genuine).lower(), str(fresh).lower())
