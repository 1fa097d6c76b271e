import type { Logger } from './logger.ts';
import { outputOf } from './logger.ts';

/**
 * Writes the line of a request.
 *
 * @param members of the line, in order; undefined ones are left out, and none is inherited
 * @param notes further members, after the first
 */
export type RequestLog = (members: object, notes: object | undefined) => void;

/**
 * Creates the writer of the lines of requests: each is the line that `logger.info(members, 'request')` would write. It
 * is put together here, without pino and without the search for secrets. A line with a text that may need an escape, or
 * may hold a secret, is left to the logger.
 */
export function createRequestLog(logger: Logger): RequestLog {
  const output = outputOf(logger);
  const writeWithLogger: RequestLog = (members, notes) => logger.info({ ...members, ...notes }, 'request');
  if (output === undefined) {
    return writeWithLogger;
  }
  const { lines, time, service } = output;
  const serviceMember = `,"service":${JSON.stringify(service)}`;
  return (members, notes) => {
    if (!logger.isLevelEnabled('info')) {
      return;
    }
    const first = plainMembers(members);
    const further = notes === undefined ? '' : plainMembers(notes);
    if (first === undefined || further === undefined) {
      writeWithLogger(members, notes);
    } else {
      lines.write(`{"level":"info"${time()}${serviceMember}${first}${further},"msg":"request"}\n`);
    }
  };
}

/** The maximum length of a text that is written here. It keeps the line shorter than the logger's limit. */
const maxPlainTextLength = 200;

/** Needs no escape in JSON, and holds no URL with credentials, no bearer token and no JSON Web Token. */
const plainText = /^(?!.*(?:bearer |eyj))[\w ./:-]*$/i;
/** The same for most texts, and faster: it rejects every space and j, which tokens have. */
const plainWord = /^[\dA-IK-Za-ik-z_./:-]*$/;

function isPlain(text: string): boolean {
  return text.length <= maxPlainTextLength && (plainWord.test(text) || plainText.test(text));
}

/**
 * The latest short text of each member, with its JSON: it is mostly the one of the line before. Ids are longer, and
 * always others.
 */
const latestTexts = new Map<string, { readonly value: string; readonly member: string }>();
const maxLatestLength = 31;

/** A text as a member; undefined unless it is plain. */
function textMember(name: string, value: string): string | undefined {
  const latest = latestTexts.get(name);
  if (latest?.value === value) {
    return latest.member;
  }
  if (!isPlain(value)) {
    return undefined;
  }
  const member = `,"${name}":"${value}"`;
  if (value.length <= maxLatestLength) {
    latestTexts.set(name, { value, member });
  }
  return member;
}

/** Members as JSON, each after a comma; undefined where one is neither a plain text nor a number. */
function plainMembers(members: object): string | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read by the names that it has
  const values = members as Readonly<Record<string, unknown>>;
  let text = '';
  for (const name in values) {
    const value = values[name];
    if (typeof value === 'string') {
      const member = textMember(name, value);
      if (member === undefined) {
        return undefined;
      }
      text += member;
    } else if (typeof value === 'number' && Number.isFinite(value)) {
      text += `,"${name}":${value}`;
    } else if (value !== undefined) {
      return undefined;
    }
  }
  return text;
}
