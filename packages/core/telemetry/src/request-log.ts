import type { Logger } from './logger.ts';
import { outputOf } from './logger.ts';

/** The members that the line of every request has. */
export interface RequestLine {
  /** Hexadecimal digits and hyphens, as is `traceId`. */
  readonly requestId: string;
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/**
 * Writes the line of a request.
 *
 * @param notes further members, after the first; undefined ones are left out, and none is inherited
 */
export type RequestLog = (line: RequestLine, notes: object | undefined) => void;

/**
 * Creates the writer of the lines of requests: each is the line that `logger.info({ ...line, ...notes }, 'request')`
 * would write. It is put together here, without pino and without the search for secrets. A line with a text that may need
 * an escape, or may hold a secret, is left to the logger.
 */
export function createRequestLog(logger: Logger): RequestLog {
  const output = outputOf(logger);
  const writeWithLogger: RequestLog = (line, notes) => logger.info({ ...line, ...notes }, 'request');
  if (output === undefined) {
    return writeWithLogger;
  }
  const { lines, time, service } = output;
  const serviceMember = `,"service":${JSON.stringify(service)}`;
  const targetOf = createTargetWriter();
  const membersOf = createMembersWriter();
  return (line, notes) => {
    if (!logger.isLevelEnabled('info')) {
      return;
    }
    const target = targetOf(line);
    const further = notes === undefined ? '' : membersOf(notes);
    if (target === undefined || further === undefined) {
      writeWithLogger(line, notes);
    } else {
      const { requestId, traceId, durationMs } = line;
      lines.write(
        `{"level":"info"${time()}${serviceMember},"requestId":"${requestId}","traceId":"${traceId}"${target},"durationMs":${durationMs}${further},"msg":"request"}\n`,
      );
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

/** Members as JSON, each after a comma; undefined where one is neither a plain text nor a number. */
type WriteMembers<Members> = (members: Members) => string | undefined;

/** The line of a request mostly has the members of the line before, but for ids and times. */
function createTargetWriter(): WriteMembers<RequestLine> {
  let latest: Pick<RequestLine, 'method' | 'path' | 'route' | 'status'> | undefined;
  let text: string | undefined;
  return ({ method, path, route, status }) => {
    const isSame =
      latest?.path === path && latest.method === method && latest.route === route && latest.status === status;
    if (!isSame) {
      latest = { method, path, route, status };
      text = plainMembers(Object.entries(latest));
    }
    return text;
  };
}

/** To compare members with the line before takes a third of writing them. */
function createMembersWriter(): WriteMembers<object> {
  let names: readonly string[] = [];
  let latest: readonly unknown[] = [];
  let text: string | undefined = '';
  const isLatest = (values: Readonly<Record<string, unknown>>): boolean => {
    let index = 0;
    for (const name in values) {
      if (names[index] !== name || latest[index] !== values[name]) {
        return false;
      }
      index += 1;
    }
    return index === names.length;
  };
  return (members) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read by the names that it has
    const values = members as Readonly<Record<string, unknown>>;
    if (!isLatest(values)) {
      names = Object.keys(values);
      latest = Object.values(values);
      text = plainMembers(Object.entries(values));
    }
    return text;
  };
}

function plainMembers(members: readonly (readonly [name: string, value: unknown])[]): string | undefined {
  let text = '';
  for (const [name, value] of members) {
    if (typeof value === 'string' && isPlain(value)) {
      text += `,"${name}":"${value}"`;
    } else if (typeof value === 'number' && Number.isFinite(value)) {
      text += `,"${name}":${value}`;
    } else if (value !== undefined) {
      return undefined;
    }
  }
  return text;
}
