// The prose of a file, at the places where it is: comments, strings and the text of pages in code; all of any other
// file. Code is blanked out, so that a phrase is found across lines of one comment and never across code.
import type { Program } from 'oxc-parser';
import { Visitor } from 'oxc-parser';

import { jestBlocks } from '../syntax/jest-blocks.ts';
import type { ProseFile } from './prose-file.ts';

/** The prose of a file. */
export interface Prose {
  /** As long as the file, with the same line breaks; NUL where there is code. */
  readonly text: string;
  /** The positions of the first words of comments. */
  readonly openings: readonly number[];
  /** The positions of the first words of tests' full names. */
  readonly testNames: readonly number[];
}

export function proseIn({ path, source, code }: ProseFile): Prose {
  if (code === undefined) {
    return { text: unquoted(source), openings: [], testNames: [] };
  }
  const { program, comments } = code;
  const spans = [...comments, ...stringsIn(program)].toSorted((one, other) => one.start - other.start);

  let text = '';
  let end = 0;
  for (const span of spans) {
    text += blanked(source.slice(end, span.start)) + withoutDecoration(source.slice(span.start, span.end));
    end = span.end;
  }
  text += blanked(source.slice(end));

  const first = comments.filter(({ start }, index) => {
    const previous = comments[index - 1];
    return previous?.type !== 'Line' || !/^\s*$/u.test(source.slice(previous.end, start));
  });
  return {
    text,
    openings: first.map(({ start, end }) => start + text.slice(start, end).search(/\S|$/u)),
    testNames: /\.test\.tsx?$/u.test(path)
      ? jestBlocks(program).flatMap(({ start, isOutermost }) => (isOutermost ? [start] : []))
      : [],
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The strings, templates and texts of pages of a program. */
function stringsIn(program: Program): readonly Span[] {
  const spans: Span[] = [];
  const add = (span: Span): void => void spans.push(span);
  new Visitor({
    TemplateElement: add,
    JSXText: add,
    Literal(node) {
      if (typeof node.value === 'string') {
        add(node);
      }
    },
  }).visit(program);
  return spans;
}

/** Blanks what is not white space. */
function blanked(code: string): string {
  return code.replaceAll(/\S/gu, (character) => '\0'.repeat(character.length));
}

/** Replaces the marks of comments, quotes and `\n` by spaces. */
function withoutDecoration(text: string): string {
  return text.replaceAll(/^\s*\/\/|^\/\*+|\*+\/$|^\s*\*(?=\s|$)|\\n/gmu, (mark) =>
    mark.replaceAll(/[^\n]/gu, ' '),
  );
}

/** Replaces the marks of comments and quotations at the start of lines by spaces. */
function unquoted(text: string): string {
  return text.replaceAll(/^[ \t]*(?:--|#|>)+/gmu, (mark) => ' '.repeat(mark.length));
}
