// Every page works without this file, passkeys apart; it only makes forms kinder.
(() => {
  "use strict";

  // Show or hide a password. The browser must not remember it as ordinary text, so sending the form hides it again.
  for (const button of document.querySelectorAll("[data-reveal]")) {
    const input = document.getElementById(button.dataset.reveal);
    const show = (shown) => {
      input.type = shown ? "text" : "password";
      button.setAttribute("aria-pressed", String(shown));
    };
    button.hidden = false;
    button.addEventListener("click", () => show(input.type === "password"));
    input.form.addEventListener("submit", () => show(false));
    addEventListener("pageshow", () => show(false));
  }

  // What stands behind # in the address asked for reaches no server: it goes on in the addresses to return to. A place in
  // this page is none of the application's.
  const { hash } = location;
  if (hash && !document.getElementById(hash.slice(1))) {
    const extend = (target) => (target.includes("#") || target.length + hash.length > 1900 ? target : target + hash);
    for (const field of document.querySelectorAll("input[name=return_to]")) field.value = extend(field.value);
    for (const link of document.querySelectorAll("a[href*='return_to=']")) {
      const url = new URL(link.href);
      url.searchParams.set("return_to", extend(url.searchParams.get("return_to")));
      link.href = url;
    }
  }

  // A code may be pasted with spaces in it, and managers of passwords fill it in. Once it is complete it sends itself, unless
  // there is something left to choose.
  for (const input of document.querySelectorAll("[data-digits]")) {
    input.addEventListener("input", () => {
      const length = Number(input.dataset.digits);
      // Of every script: the service knows them.
      const digits = input.value.replace(/\P{Nd}/gu, "").slice(0, length);
      if (digits !== input.value) input.value = digits;
      const { form } = input;
      const isLeft = form.querySelector("input[type=checkbox]:not(:checked)");
      if (digits.length === length && "sendsItself" in input.dataset && !isLeft && !form.ariaBusy) form.requestSubmit();
    });
    // The place where the next digit goes shows the focus.
    const places = [...input.parentElement.querySelectorAll("span")];
    const mark = () => {
      const at = Math.min(input.selectionStart, places.length - 1);
      places.forEach((place, index) => place.classList.toggle("next", index === at));
    };
    document.addEventListener("selectionchange", mark);
    input.addEventListener("input", mark);
    mark();
  }

  // Another email may be requested after a while.
  for (const button of document.querySelectorAll("[data-wait]")) {
    const end = Date.now() + Number(button.dataset.wait) * 1000;
    const label = button.textContent;
    const update = () => {
      const left = Math.ceil((end - Date.now()) / 1000);
      button.disabled = left > 0;
      const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      button.textContent = left > 0 ? button.dataset.waiting.replace("{wait}", clock) : label;
      if (left > 0) setTimeout(update, 1000);
    };
    update();
  }

  // What stands in a field already is typed over.
  document.querySelector("[data-select]")?.select();

  // Copy a text that is shown once.
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    const input = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(input.value);
      button.textContent = button.dataset.done;
    });
  }

  // Say how many characters a new password still wants, counted as the server counts them.
  for (const hint of document.querySelectorAll("[data-length-of]")) {
    const input = document.getElementById(hint.dataset.lengthOf);
    const rule = hint.textContent;
    const update = () => {
      const length = [...input.value.normalize()].length;
      const missing = input.minLength - length;
      hint.classList.toggle("met", missing <= 0);
      if (length === 0) hint.textContent = rule;
      else if (missing <= 0) hint.textContent = hint.dataset.enough;
      else if (missing === 1) hint.textContent = hint.dataset.oneMore;
      else hint.textContent = hint.dataset.more.replace("{n}", String(missing));
    };
    input.addEventListener("input", update);
    addEventListener("pageshow", update);
  }

  // Passkeys: the question stands in the form, and the answer goes into it. WebAuthn speaks bytes, forms base64url.
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const answer = (form, credential) => {
    const { id, rawId, type, response } = credential;
    const fields = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (response[name]) fields[name] = text(response[name]);
    }
    if (response.getTransports) fields.transports = response.getTransports();
    form.elements.credential.value = JSON.stringify({ id, rawId: text(rawId), type, response: fields });
    form.querySelector("button").ariaBusy = "true";
    form.submit();
  };
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    const missing = form.querySelector("[data-passkey-missing]");
    const { publicKey } = JSON.parse(form.dataset.options);
    // On a host to which they do not belong, the browser refuses them.
    const belongs = `.${location.hostname}`.endsWith(`.${publicKey.rpId ?? publicKey.rp.id}`);
    if (!window.PublicKeyCredential || !belongs) {
      missing?.classList.add("needed");
      continue;
    }
    publicKey.challenge = bytes(publicKey.challenge);
    if (publicKey.user) publicKey.user.id = bytes(publicKey.user.id);
    for (const known of publicKey.excludeCredentials ?? publicKey.allowCredentials ?? []) known.id = bytes(known.id);
    const failed = form.querySelector("[data-passkey-failed]");
    const button = form.querySelector("button");
    form.hidden = false;
    for (const word of document.querySelectorAll("[data-passkey-offered]")) word.hidden = false;
    button.disabled = false;
    missing?.remove();
    let waiting;
    const ask = async (options) => {
      waiting?.abort();
      waiting = new AbortController();
      const credential = await navigator.credentials[form.dataset.passkey]({ publicKey, signal: waiting.signal, ...options });
      if (credential) answer(form, credential);
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      failed.hidden = true;
      ask({}).catch(() => (failed.hidden = false));
    });
    // The browser offers passkeys where the name is typed. Who does not choose one has not failed.
    if ("conditional" in form.dataset) {
      PublicKeyCredential.isConditionalMediationAvailable?.().then((can) => can && ask({ mediation: "conditional" })).catch(() => {});
    }
  }

  // Send a form once, and show on its button that it is on its way. A page that comes back from the browser's cache, or
  // that waits too long, may send again.
  const sent = new Map();
  const release = (form) => {
    clearTimeout(sent.get(form));
    sent.delete(form);
    for (const busy of [form, ...form.querySelectorAll("[aria-busy]")]) busy.removeAttribute("aria-busy");
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented) return;
    if (sent.has(form)) {
      event.preventDefault();
      return;
    }
    for (const busy of [form, event.submitter ?? form.querySelector("button[type=submit]")]) busy?.setAttribute("aria-busy", "true");
    sent.set(form, setTimeout(() => release(form), 10000));
  });
  addEventListener("pageshow", () => [...sent.keys()].forEach(release));

  // Count down to when it is worth trying again, and only then let the button do it.
  for (const wait of document.querySelectorAll("[data-countdown]")) {
    const end = Date.now() + Number(wait.dataset.countdown) * 1000;
    const retry = document.querySelector("[data-retry]");
    const href = retry?.getAttribute("href");
    const hold = (held) => {
      if (!retry) return;
      if (!href) retry.disabled = held;
      else if (held) retry.removeAttribute("href");
      else retry.href = href;
      if (href) retry.ariaDisabled = held ? "true" : null;
    };
    const two = (number) => String(number).padStart(2, "0");
    const update = () => {
      const left = Math.ceil((end - Date.now()) / 1000);
      if (left <= 0) {
        clearInterval(timer);
        wait.setAttribute("role", "status");
        wait.textContent = wait.dataset.over;
        hold(false);
        return;
      }
      const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60];
      const clock = hours ? `${hours}:${two(minutes)}` : minutes;
      wait.textContent = wait.dataset.counting.replace("{wait}", `${clock}:${two(left % 60)}`);
    };
    const timer = setInterval(update, 1000);
    hold(true);
    update();
  }

  // A menu also closes with Escape, with a click beside it, and when the focus leaves it.
  for (const menu of document.querySelectorAll("details.menu")) {
    const leave = (target) => target && !menu.contains(target) && (menu.open = false);
    document.addEventListener("click", (event) => leave(event.target));
    menu.addEventListener("focusout", (event) => leave(event.relatedTarget));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }

  // Times come in UTC; show them in the reader's own zone, as the reader's country writes them.
  const { lang } = document.documentElement;
  const country = navigator.languages.find((tag) => tag.split("-")[0] === lang.split("-")[0]) ?? lang;
  const day = { day: "numeric", month: "long", year: "numeric" };
  const clock = { hour: "numeric", minute: "2-digit" };
  const moment = { ...day, ...clock, timeZoneName: "short" };
  const write = (date, form) => new Intl.DateTimeFormat(country, form).format(date);
  for (const time of document.querySelectorAll("time[data-local]")) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    const text = write(date, { day, clock }[time.dataset.local] ?? moment);
    const spoken = time.querySelector(".sr");
    time.title = spoken ? text : time.textContent;
    (spoken ?? time).textContent = spoken ? ` (${text})` : text;
  }

  // Days begin at the reader's midnight, so that entries may belong below another heading.
  for (const days of document.querySelectorAll("[data-days]")) {
    const [first] = days.children;
    const rows = [...days.querySelectorAll("li")];
    const now = new Date();
    const names = { [now.toDateString()]: days.dataset.today };
    now.setDate(now.getDate() - 1);
    names[now.toDateString()] = days.dataset.yesterday;
    days.replaceChildren();
    let name;
    for (const row of rows) {
      const date = new Date(row.querySelector("time").dateTime);
      if (name !== (name = date.toDateString())) {
        days.append(first.cloneNode(true));
        days.lastChild.querySelector("h2").textContent = names[name] ?? write(date, day);
        days.lastChild.querySelector("ul").replaceChildren();
      }
      days.lastChild.querySelector("ul").append(row);
    }
  }

  // Where the sections do not fit into one line, the current one is in the middle, as far as they go, and so it is once a
  // phone is turned. Both edges fade once they are scrolled. Nothing moves up or down: a keyboard changes the size, too.
  // Last, because it asks for places: what is written afterwards would have the page laid out twice.
  const sections = document.querySelector(".sections ul");
  sections?.addEventListener("scroll", () => sections.classList.toggle("scrolled", Math.abs(sections.scrollLeft) > 1));
  const center = () => {
    const [all, current] = [sections, sections?.querySelector("[aria-current]")].map((part) => part?.getBoundingClientRect());
    if (current) sections.scrollLeft += current.left + current.width / 2 - all.left - all.width / 2;
  };
  center();
  addEventListener("resize", center);
})();
