// An error class says its name in one way: by a field, which logs and `error.name` show.
import type { ProseFault, ProseFile } from './prose-file.ts';
import { faultAt } from './prose-file.ts';

/** A class of errors without the field, and the name set in a constructor. */
const otherwise =
  /\bclass (?<name>\w+) extends \w*Error \{(?!\s*override readonly name(?:: string)? = '\k<name>';)|\bthis\.name = '/gu;

/** The error classes of one file that are named in another way. */
export function errorNameFaults(file: ProseFile): ProseFault[] {
  const instead = "`override readonly name = '…';` as the first member of the class";
  return Array.from(file.source.matchAll(otherwise), ({ index, 0: phrase }) =>
    faultAt(file, index, phrase, instead),
  );
}
