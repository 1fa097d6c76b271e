/**
 * The TypeScript of a README, as programs. A block that begins with an import starts a program; any other continues the
 * program above it.
 */
export function readmePrograms(readme: string): readonly string[] {
  const programs: string[] = [];
  for (const [, code = ''] of readme.matchAll(/^```ts\n(.*?)^```$/gmsu)) {
    const above = code.startsWith('import ') ? undefined : programs.pop();
    programs.push(`${above ?? ''}${code}`);
  }
  return programs;
}
