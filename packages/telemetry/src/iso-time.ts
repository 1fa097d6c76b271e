/** The time of a line as its member `time`: the text is made once for all lines of a millisecond. */
export function createIsoTime(now: () => number = Date.now): () => string {
  let knownMs = Number.NaN;
  let text = '';
  return () => {
    const ms = now();
    if (ms !== knownMs) {
      knownMs = ms;
      text = `,"time":"${new Date(ms).toISOString()}"`;
    }
    return text;
  };
}
