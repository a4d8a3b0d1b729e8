// Every page works without this file; it only makes forms kinder.
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
      const length = [...input.value].length;
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

  // Send a form once. A page that comes back from the browser's cache, or that waits too long, may send again.
  const sent = new Map();
  const release = (form) => {
    clearTimeout(sent.get(form));
    sent.delete(form);
    form.removeAttribute("aria-busy");
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented) return;
    if (sent.has(form)) {
      event.preventDefault();
      return;
    }
    form.setAttribute("aria-busy", "true");
    sent.set(form, setTimeout(() => release(form), 10000));
  });
  addEventListener("pageshow", () => [...sent.keys()].forEach(release));

  // Times come in UTC; show them in the reader's own zone.
  for (const time of document.querySelectorAll("time[data-local]")) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    const style = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    time.title = time.textContent;
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang, { ...style, timeZoneName: "short" }).format(date);
  }
})();
