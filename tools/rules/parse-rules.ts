// Reads docs/rules.md: a table under each heading, a row for each rule of the specification.

/** A test as a row names it: its file, from the root, and its full name as jest prints it. */
export interface NamedTest {
  readonly file: string;
  readonly name: string;
}

/** One row. `unclear` is a row whose last cell is none of: tests, `not yet`, `left open`. */
export interface Rule {
  readonly section: string;
  readonly id: string;
  readonly text: string;
  readonly files: readonly string[];
  readonly tests: readonly NamedTest[];
  readonly state: 'tested' | 'not yet' | 'left open' | 'unclear';
}

/**
 * The rows of the document, in order. A row is `` | `id` | rule | where | test | ``; files are links relative to docs/,
 * a test is a link, ` › ` and the test's name; several stand apart by `<br>`. Tables of another shape are not rules.
 */
export function parseRules(markdown: string): Rule[] {
  const rules: Rule[] = [];
  let section = '';
  for (const line of markdown.split('\n')) {
    const heading = /^##+ (?<title>.+)$/u.exec(line)?.groups?.['title'];
    if (heading !== undefined) {
      section = heading;
    }
    const [idCell, text, where, test, ...rest] = cellsOf(line);
    const id = /^`(?<id>[^`]+)`$/u.exec(idCell ?? '')?.groups?.['id'];
    if (
      id !== undefined &&
      text !== undefined &&
      where !== undefined &&
      test !== undefined &&
      rest.length === 0
    ) {
      rules.push({ section, id, text, files: linksIn(where), ...testsOf(test) });
    }
  }
  return rules;
}

/**
 * The rows that the document must have, each `section › id`: what docs/rule-ids.txt lists, an id a line under the
 * heading of its section.
 */
export function parseRuleIds(text: string): string[] {
  const places: string[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) {
      section = line.slice(3);
    } else if (line !== '' && !line.startsWith('#')) {
      places.push(`${section} › ${line}`);
    }
  }
  return places;
}

/** The cells of a table's row, trimmed; `\|` inside a cell is a bar of its text. No row: no cells. */
function cellsOf(line: string): string[] {
  if (!line.startsWith('|') || !line.endsWith('|')) {
    return [];
  }
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function testsOf(cell: string): Pick<Rule, 'tests' | 'state'> {
  if (cell === 'not yet' || cell === 'left open') {
    return { tests: [], state: cell };
  }
  const parts = cell.split('<br>');
  const tests = parts.flatMap((part) => {
    const [link = '', name = ''] = part.split(/ › (?<name>.*)/su);
    const [file] = linksIn(link);
    return file === undefined || name === '' ? [] : [{ file, name }];
  });
  return tests.length === parts.length ? { tests, state: 'tested' } : { tests, state: 'unclear' };
}

/** The targets of the links in a cell, turned from relative to docs/ into relative to the root. */
function linksIn(cell: string): string[] {
  return [...cell.matchAll(/\]\((?<target>[^)]+)\)/gu)].map(({ groups }) =>
    (groups?.['target'] ?? '').replace(/^\.\.\//u, ''),
  );
}
