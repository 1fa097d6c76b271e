import type { PackageManager } from './project.ts';

/** A package manager, and the version of the npm package `node` that it runs on. */
export interface InstallCase {
  readonly manager: PackageManager;
  readonly version: string;
}

const managers: readonly PackageManager[] = ['npm', 'pnpm', 'yarn'];
const versions: readonly string[] = ['22', '24', 'latest'];

/**
 * Reads which combinations are tested.
 *
 * @param text `all`, or words such as `npm@24`, `yarn` (on every Node) and `@22` (with every manager)
 * @throws {Error} when a word means no combination
 */
export function installMatrix(text: string): readonly InstallCase[] {
  const all = managers.flatMap((manager) => versions.map((version) => ({ manager, version })));
  if (text === 'all') {
    return all;
  }
  const words = text.split(/\s+/u);
  const unknown = words.find((word) => !all.some((one) => isMeant(word, one)));
  if (unknown !== undefined) {
    throw new Error(
      `INSTALL_MATRIX has ${JSON.stringify(unknown)}; a word is all or <manager>@<node>, of ${managers.join(', ')} and ${versions.join(', ')}`,
    );
  }
  return all.filter((one) => words.some((word) => isMeant(word, one)));
}

function isMeant(word: string, { manager, version }: InstallCase): boolean {
  const [wantedManager = '', wantedVersion = ''] = word.split('@');
  return word !== '' && ['', manager].includes(wantedManager) && ['', version].includes(wantedVersion);
}
