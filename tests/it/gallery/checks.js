// What a page must keep to: each function returns what breaks it. The arguments are the names of those to ask.
const all = (selector) => [...document.querySelectorAll(selector)];
const html = (element) => element.outerHTML.slice(0, 200);
const style = (element) => getComputedStyle(element);
const isShown = (element) => element.getClientRects().length > 0;

const checks = {
  // Nothing scrolls sideways: on a desktop, and at 320 pixels, its width at 400 % zoom (WCAG 2.2, 1.4.10).
  fits() {
    const page = document.documentElement;
    const excess = page.scrollWidth - page.clientWidth;
    if (excess <= 0) return [];
    const isWide = (e) => {
      const { right } = e.getBoundingClientRect();
      const overflows = e.scrollWidth > e.clientWidth + 1 && style(e).overflowX === "visible" && e.clientWidth;
      return right > page.clientWidth + 1 || right < 0 || overflows;
    };
    return [`${excess} pixels too wide`, ...all("body *").filter((e) => isShown(e) && isWide(e)).map(html)];
  },

  // The sections of the account take one line.
  sections() {
    const lines = new Set(all(".sections a").map((link) => link.getBoundingClientRect().top)).size;
    return lines > 1 ? [`${lines} lines`] : [];
  },

  // An invalid field has an error text (WCAG 2.2, 1.4.1 and 3.3.1).
  invalid_fields() {
    const says = (id) => id.endsWith("-error") && document.getElementById(id)?.textContent.trim();
    const isSilent = (field) => !(field.getAttribute("aria-describedby") || "").split(" ").some(says);
    return all("[aria-invalid=true]").filter(isSilent).map(html);
  },

  // No field is wider than 24 rem, as a line of a form on a wide window would be.
  narrow_fields() {
    const widest = 24 * parseFloat(style(document.documentElement).fontSize);
    const fields = all("input:not([type=hidden]), select, textarea");
    return fields.filter((field) => field.getBoundingClientRect().width > widest + 0.5).map(html);
  },

  // For a field with smaller letters, iOS enlarges the page.
  touched_fields() {
    if (!matchMedia("(pointer: coarse)").matches) return ["no finger"];
    const fields = all("input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea");
    return fields.filter((field) => parseFloat(style(field).fontSize) < 16).map(html);
  },

  // Nothing but cookies is stored in the browser (OWASP ASVS 5.0, 14.3.3).
  empty_storage() {
    return [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
  },

  // A countdown runs, and holds its button until the time is over.
  countdowns() {
    const retry = document.querySelector("[data-retry]");
    const isHeld = retry?.matches("button") ? retry.disabled : !retry?.hasAttribute("href");
    return all("[data-countdown]").filter((wait) => !wait.textContent.includes(":") || !isHeld).map(html);
  },

  // The script and the Content-Security-Policy have nothing to complain about.
  errors() {
    return window.errors;
  },

  // No element loses its border in forced colors, where backgrounds and shadows are removed.
  borders() {
    if (!matchMedia("(forced-colors: active)").matches) return ["no forced colors"];
    const fields = "input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea";
    const edged = `${fields}, .button, .card, .panel, .notice, .tag, .reference`;
    const hasNoBorder = (e) => parseFloat(style(e).borderTopWidth) < 1 || style(e).borderTopStyle === "none";
    return [
      ...all(edged).filter((e) => isShown(e) && hasNoBorder(e)),
      ...all(".sections [aria-current]").filter((e) => style(e).outlineStyle === "none"),
      ...all(".qr").filter((e) => style(e).forcedColorAdjust !== "none"),
    ].map(html);
  },

  // Nothing moves for people who prefer it so.
  reduced_motion() {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) return ["motion is not reduced"];
    const times = (e) => [style(e).transitionDuration, style(e).animationDuration].join().split(",");
    return all("*").filter((e) => times(e).some((time) => parseFloat(time) > 0)).map(html);
  },

  // A pressed button says so without motion.
  pressed_buttons() {
    const look = (button, busy) => {
      button.ariaBusy = busy;
      return style(button).opacity;
    };
    return all("form button.button").filter((button) => look(button, "true") === look(button, null)).map(html);
  },
};

return [...arguments].flatMap((name) => checks[name]().map((fault) => `${name}: ${fault}`));
