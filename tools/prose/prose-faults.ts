// Phrases that make a reader stop, each with its place.
import { openings, phrases, testNameOpenings } from './phrases.ts';
import type { Phrase } from './phrases.ts';
import type { ProseFile } from './prose-file.ts';
import { proseIn } from './prose-in.ts';

/** A phrase that may stay in a file, with the reason. */
export interface Allowed {
  readonly path: string;
  readonly text: string;
  readonly reason: string;
}

export interface ProseFault {
  readonly path: string;
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** The faults of one file, in the order of their lines. */
export function proseFaults(file: ProseFile, allowed: readonly Allowed[] = []): ProseFault[] {
  const { path, source } = file;
  const prose = proseIn(file);
  const found = [
    ...phrases.flatMap((phrase) => matches(phrase, prose.text)),
    ...prose.openings.flatMap((position) => matchAt(openings, prose.text, position)),
    ...prose.testNames.flatMap((position) => matchAt(testNameOpenings, prose.text, position)),
  ];
  return found
    .filter(({ phrase }) => !allowed.some((entry) => entry.path === path && entry.text === phrase))
    .toSorted((one, other) => one.position - other.position)
    .map(({ position, phrase, instead }) => ({
      path,
      line: source.slice(0, position).split('\n').length,
      phrase,
      instead,
    }));
}

interface Found {
  readonly position: number;
  readonly phrase: string;
  readonly instead: string;
}

function matches({ pattern, instead }: Phrase, text: string): Found[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    position: match.index,
    phrase: onOneLine(match[0]),
    instead,
  }));
}

function matchAt({ pattern, instead }: Phrase, text: string, position: number): Found[] {
  pattern.lastIndex = position;
  const match = pattern.exec(text);
  return match === null ? [] : [{ position, phrase: onOneLine(match[0]), instead }];
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ');
}
