import type { Comment, Program } from 'oxc-parser';
import { parseSync } from 'oxc-parser';

/** A file whose prose is checked. */
export interface ProseFile {
  readonly path: string;
  readonly source: string;
  /** Of TypeScript and JavaScript; undefined for any other file. */
  readonly code: { readonly program: Program; readonly comments: readonly Comment[] } | undefined;
}

/** Parses a file, if it is code. */
export function proseFile(path: string, source: string): ProseFile {
  const isCode = /\.[cm]?[jt]sx?$/u.test(path);
  return { path, source, code: isCode ? parseSync(path, source, { preserveParens: false }) : undefined };
}
