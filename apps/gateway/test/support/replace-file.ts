import { rename, writeFile } from 'node:fs/promises';

/** Replaces a file as a whole: nobody reads a part of the new text. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
