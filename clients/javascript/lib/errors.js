/** Everything this library throws. `code` is for programs, the message for people. */
export class DoorwardError extends Error {
  /**
   * @param {string} code
   * @param {string} message what is wrong, and how to mend it; never a secret or token
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "DoorwardError";
    this.code = code;
  }
}

const HOUR = 3_600_000;

/**
 * Tells the operator of a mistake, each kind once an hour: mistakes come with every request.
 *
 * @param {(error: DoorwardError) => void} log
 * @param {() => number} clock
 */
export function reporter(log, clock) {
  /** @type {Map<string, number>} */
  const told = new Map();
  return (/** @type {DoorwardError} */ error) => {
    const now = clock();
    if (Math.abs(now - (told.get(error.code) ?? -Infinity)) < HOUR) return;
    told.set(error.code, now);
    log(error);
  };
}
