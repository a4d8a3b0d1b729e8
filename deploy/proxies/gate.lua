-- Asks Doorward's gate about each request. Rules are added to its address: /auth/gate?role=admin&mfa
local GATE = "http://127.0.0.1:8080/auth/gate"
local LOGIN = { svc_access = true, svc_refresh = true, svc_csrf = true }
-- Names of SVC_GATE_HEADERS, in lower case; of Remote-User=id: { "remote-user" }
local ADDED = {}
-- The gate's own names: those that a person never lacks, and those that may be empty.
local PERSON = { "x-svc-user-id", "x-svc-user-email", "x-svc-user-username", "x-svc-email-verified",
  "x-svc-session-id" }
local OTHERS = { "x-svc-user-roles", "x-svc-organization-id", "x-svc-organization-role", "x-svc-assertion" }

local function refuse(txn, status, body, headers)
  headers["cache-control"] = headers["cache-control"] or { "no-store" }
  txn:done(txn:reply({ status = status, reason = "Gate", headers = headers, body = body or "" }))
end

-- The gate's headers by name. nil unless it sent each once, with all of PERSON filled or, of an anonymous request, none.
local function said(answer)
  local values, filled = {}, {}
  for _, names in ipairs({ PERSON, OTHERS, ADDED }) do
    filled[names] = 0
    for _, name in ipairs(names) do
      local given = answer.headers[name]
      if not given or not given[0] or given[1] then return nil end
      values[name] = given[0]
      if given[0] ~= "" then filled[names] = filled[names] + 1 end
    end
  end
  local is_anonymous = filled[PERSON] + filled[OTHERS] + filled[ADDED] == 0
  return (is_anonymous or filled[PERSON] == #PERSON) and values or nil
end

core.register_action("gate", { "http-req" }, function(txn)
  local sent = txn.http:req_get_headers()
  local asked = {}
  -- What the gate reads of the client, and nothing of the body.
  for _, name in ipairs({ "cookie", "accept", "accept-language", "user-agent", "referer", "origin", "sec-fetch-mode",
    "sec-fetch-dest", "sec-fetch-site", "sec-websocket-key", "sec-websocket-version",
    "access-control-request-method" }) do
    if sent[name] then
      asked[name] = {}
      for _, value in pairs(sent[name]) do
        table.insert(asked[name], value)
      end
    end
  end
  asked["x-forwarded-proto"] = { txn.f:ssl_fc() == 1 and "https" or "http" }
  asked["x-forwarded-host"] = { txn.f:req_hdr("host") or "" }
  asked["x-forwarded-uri"] = { txn.f:pathq() }
  asked["x-forwarded-method"] = { txn.f:method() }
  asked["x-forwarded-for"] = { txn.f:src() }
  local ok, answer = pcall(function()
    return core.httpclient():get({ url = GATE, headers = asked, timeout = 5000 })
  end)
  if not ok or not answer or not answer.status or answer.status < 200 then
    return refuse(txn, 503, "", {})
  end
  if answer.status ~= 200 then
    local headers = {}
    for _, name in ipairs({ "content-type", "location", "retry-after", "cache-control", "x-svc-login-url",
      "x-svc-redirect", "www-authenticate", "content-security-policy", "x-content-type-options" }) do
      headers[name] = answer.headers[name] and { answer.headers[name][0] }
    end
    -- What does not fit into HAProxy's buffer (tune.bufsize less tune.maxrewrite) becomes a 500. A redirect needs no page.
    local body = headers["location"] and "" or answer.body
    return refuse(txn, answer.status, body, headers)
  end
  local values = said(answer)
  if not values then return refuse(txn, 502, "", {}) end
  -- To keep the login's cookies for the application, remove the loop and the two lines after it.
  local kept = {}
  for _, value in pairs(sent["cookie"] or {}) do
    for cookie in value:gmatch("[^;%s][^;]*") do
      if not LOGIN[cookie:match("^[^=%s]*")] then
        table.insert(kept, cookie)
      end
    end
  end
  txn.http:req_del_header("cookie")
  if #kept > 0 then txn.http:req_set_header("cookie", table.concat(kept, "; ")) end
  for name, value in pairs(values) do
    txn.http:req_set_header(name, value)
  end
  -- Where the request nearly fills HAProxy's buffer, a header is not set, and nothing says so.
  local passed = txn.http:req_get_headers()
  for name, value in pairs(values) do
    if not passed[name] or passed[name][0] ~= value or passed[name][1] then return refuse(txn, 502, "", {}) end
  end
  txn:set_var("txn.gate_passed", true)
end, 0)
