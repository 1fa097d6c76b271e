import type { Comment, Program } from 'oxc-parser';
import { parseSync } from 'oxc-parser';

/** A file whose prose is checked. */
export interface ProseFile {
  readonly path: string;
  readonly source: string;
  /** Of TypeScript and JavaScript; undefined for any other file. */
  readonly code: { readonly program: Program; readonly comments: readonly Comment[] } | undefined;
}

/** A phrase that makes a reader stop, at its place. */
export interface ProseFault {
  readonly path: string;
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** @param position in the file */
export function faultAt(
  { path, source }: ProseFile,
  position: number,
  phrase: string,
  instead: string,
): ProseFault {
  return { path, line: source.slice(0, position).split('\n').length, phrase, instead };
}

/** Parses a file, if it is code. */
export function proseFile(path: string, source: string): ProseFile {
  const isCode = /\.[cm]?[jt]sx?$/u.test(path);
  return { path, source, code: isCode ? parseSync(path, source, { preserveParens: false }) : undefined };
}
