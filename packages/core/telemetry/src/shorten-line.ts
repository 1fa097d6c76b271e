// Shortens foreign text before anything else processes it: a path, the message of a subgraph's error, the members of a
// driver's error. Redaction, the destination and log collectors get at most this much.

/** The longest text of a line. A shorter line needs no check. */
const maxTextLength = 4096;
/** The maximum of characters in the texts and names of one member of a line. */
const maxMemberLength = 16_384;

/** Shortens a line of the log, a JSON object, if one of its texts is too long. It stays valid JSON. */
export function shortenLine(line: string): string {
  if (line.length <= maxTextLength) {
    return line;
  }
  const members = Object.entries(JSON.parse(line));
  const shorter = members.map(([name, value]) => [name, shorten(value, { left: maxMemberLength })]);
  return `${JSON.stringify(Object.fromEntries(shorter))}\n`;
}

/** The number of characters that may still be copied. */
interface Budget {
  left: number;
}

function shorten(value: unknown, budget: Budget): unknown {
  if (typeof value === 'string') {
    return shortenText(value, budget);
  }
  // Numbers and brackets take room too.
  budget.left -= 8;
  if (Array.isArray(value)) {
    return shortenList(value, budget);
  }
  return typeof value === 'object' && value !== null ? shortenMembers(value, budget) : value;
}

function shortenText(text: string, budget: Budget): string {
  const length = Math.min(text.length, maxTextLength, Math.max(0, budget.left));
  budget.left -= length + 1;
  return length < text.length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
}

function shortenList(list: readonly unknown[], budget: Budget): unknown[] {
  const items: unknown[] = [];
  for (const item of list) {
    if (budget.left <= 0) {
      return [...items, `… (${list.length} items)`];
    }
    items.push(shorten(item, budget));
  }
  return items;
}

function shortenMembers(value: object, budget: Budget): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (budget.left <= 0) {
      break;
    }
    members[shortenText(name, budget)] = shorten(member, budget);
  }
  return members;
}
