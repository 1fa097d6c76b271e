/** The time of a line as its member `time`: the text is made once for a second, but for its milliseconds. */
export function createIsoTime(now: () => number = Date.now): () => string {
  let knownMs = Number.NaN;
  let knownSecond = Number.NaN;
  let untilSecond = '';
  let text = '';
  return () => {
    const ms = now();
    if (ms !== knownMs) {
      knownMs = ms;
      const second = Math.floor(ms / 1000);
      if (second !== knownSecond) {
        knownSecond = second;
        untilSecond = `,"time":"${new Date(second * 1000).toISOString().slice(0, -'000Z'.length)}`;
      }
      text = `${untilSecond}${String(ms - second * 1000).padStart(3, '0')}Z"`;
    }
    return text;
  };
}
