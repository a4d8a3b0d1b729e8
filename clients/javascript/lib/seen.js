const CAPACITY = 10_000;

/** The ids of the latest webhooks, in memory: the default of `seen`. */
export function rememberIds() {
  /** @type {Set<string>} */
  const ids = new Set();
  return {
    has: (/** @type {string} */ id) => ids.has(id),
    add: (/** @type {string} */ id) => {
      ids.add(id);
      if (ids.size > CAPACITY) ids.delete(/** @type {string} */ (ids.values().next().value));
    },
  };
}
