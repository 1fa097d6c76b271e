import type { Allowed, Phrase } from './phrases.ts';
import { openings, phrases, testNameOpenings } from './phrases.ts';
import type { ProseFault, ProseFile } from './prose-file.ts';
import { faultAt } from './prose-file.ts';
import { proseIn } from './prose-in.ts';

/** The phrases of one file that make a reader stop, in the order of their lines. */
export function proseFaults(file: ProseFile, allowed: readonly Allowed[] = []): ProseFault[] {
  const prose = proseIn(file);
  const found = [
    ...phrases.flatMap((phrase) => matches(phrase, prose.text)),
    ...prose.openings.flatMap((position) => matches(openings, prose.text, position)),
    ...prose.testNames.flatMap((position) => matches(testNameOpenings, prose.text, position)),
  ];
  return found
    .filter(({ phrase }) => !allowed.some((entry) => entry.path === file.path && entry.text === phrase))
    .toSorted((one, other) => one.position - other.position)
    .map(({ position, phrase, instead }) => faultAt(file, position, phrase, instead));
}

interface Found {
  readonly position: number;
  readonly phrase: string;
  readonly instead: string;
}

/** The matches of a phrase: everywhere, or, of a sticky pattern, from this position on. */
function matches({ pattern, instead }: Phrase, text: string, start = 0): Found[] {
  pattern.lastIndex = start;
  return Array.from(text.matchAll(pattern), (match) => ({
    position: match.index,
    phrase: match[0].replaceAll(/\s+/gu, ' '),
    instead,
  }));
}
