/** The content of a ready stack's screen. */
export interface ScreenUnderTest {
  /** The URL of each service, by its name. */
  readonly urls: ReadonlyMap<string, string>;
  /** The block to paste. */
  readonly tryIt: string;
  readonly lines: readonly string[];
}

/** Reads the screen. */
export function screenOf(output: string): ScreenUnderTest {
  const screen = output.slice(output.indexOf('  Meridian is ready'));
  const lines = screen.split('\n');
  const begin = lines.findIndex((line) => line.includes('Try it'));
  const end = lines.findIndex((line) => line.includes('Ctrl-C stops everything'));
  const rows = lines.slice(0, begin).flatMap((line) => {
    const [, name, url] = /^ {2}● (\S+) +(\S+) +ready$/u.exec(line) ?? [];
    return name === undefined || url === undefined ? [] : [[name, url] as const];
  });
  return {
    urls: new Map(rows),
    tryIt: lines.slice(begin + 1, end).join('\n'),
    lines: lines.slice(0, end + 1),
  };
}
