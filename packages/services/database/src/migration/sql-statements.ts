/**
 * The statements of a script, with their semicolons and the text before each: together they are the script. It is split
 * where psql splits it: not in texts, comments and parentheses, nor in the body of a function (`begin atomic … end`).
 *
 * Source: PostgreSQL, "Lexical Structure"; psqlscan.l.
 */
export function sqlStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let words: string[] = [];
  let parentheses = 0;
  let blocks = 0;
  const token =
    /e'|[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|--|\/\*|['"();]/gi;
  for (let match = token.exec(sql); match !== null; match = token.exec(sql)) {
    const text = match[0].toLowerCase();
    switch (text) {
      case '(':
        parentheses += 1;
        break;
      case ')':
        parentheses -= 1;
        break;
      case ';':
        if (parentheses <= 0 && blocks <= 0) {
          statements.push(sql.slice(start, token.lastIndex));
          start = token.lastIndex;
          words = [];
          parentheses = 0;
          blocks = 0;
        }
        break;
      default:
        if (/^[a-z_\u0080-\uffff]/.test(text) && text !== `e'`) {
          words.push(text);
          if (parentheses === 0 && createsRoutine(words)) {
            blocks += blockStep(text, blocks);
          }
        } else {
          token.lastIndex = endOfQuoted(sql, match[0], token.lastIndex);
        }
    }
  }
  return [...statements, sql.slice(start)];
}

function createsRoutine([first, ...others]: readonly string[]): boolean {
  const kind = others[0] === 'or' ? others[2] : others[0];
  return first === 'create' && (kind === 'function' || kind === 'procedure');
}

function blockStep(word: string, blocks: number): number {
  if (word === 'begin' || (word === 'case' && blocks > 0)) {
    return 1;
  }
  return word === 'end' && blocks > 0 ? -1 : 0;
}

/** The end of a text or a comment, which begins with `opening`, before `start`. */
function endOfQuoted(sql: string, opening: string, start: number): number {
  switch (opening) {
    case '--':
      return endAfter(sql, '\n', start);
    case '/*':
      return endOfComment(sql, start);
    case `e'`:
    case `E'`:
      return endOfEscapedText(sql, start);
    default:
      return endAfter(sql, opening, start);
  }
}

function endAfter(sql: string, closing: string, start: number): number {
  const index = sql.indexOf(closing, start);
  return index === -1 ? sql.length : index + closing.length;
}

/** Comments nest. */
function endOfComment(sql: string, start: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 1;
  while (depth > 0) {
    const match = edge.exec(sql);
    if (match === null) {
      return sql.length;
    }
    depth += match[0] === '/*' ? 1 : -1;
  }
  return edge.lastIndex;
}

function endOfEscapedText(sql: string, start: number): number {
  const stop = /\\[^]|''|'/g;
  stop.lastIndex = start;
  for (let match = stop.exec(sql); match !== null; match = stop.exec(sql)) {
    if (match[0] === `'`) {
      return stop.lastIndex;
    }
  }
  return sql.length;
}
