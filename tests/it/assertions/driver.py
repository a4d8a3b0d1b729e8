import json, sys

from claims_of import claims_of

given = json.load(sys.stdin)
for assertion in given["assertions"]:
    try:
        print(claims_of(assertion, {"keys": given["keys"]})["email"])
    except Exception:
        print("refused")
