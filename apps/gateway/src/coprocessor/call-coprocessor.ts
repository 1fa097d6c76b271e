import { parseJsonExactly } from '@meridian/json';
import { isRecord } from '@meridian/settings/values';

/** The stages of Apollo Router's protocol. */
export type CoprocessorStage =
  | 'RouterRequest'
  | 'RouterResponse'
  | 'SupergraphRequest'
  | 'SupergraphResponse'
  | 'ExecutionRequest'
  | 'ExecutionResponse'
  | 'SubgraphRequest'
  | 'SubgraphResponse';

type Entries = Readonly<Record<string, unknown>>;

/** The members of a message to a coprocessor that depend on its stage and on what is configured. */
export interface SentMessage {
  readonly id: string;
  readonly headers?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly body?: unknown;
  readonly context?: { readonly entries: Entries } | undefined;
  readonly sdl?: string | undefined;
  readonly uri?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly hasNext?: boolean | undefined;
  readonly subgraphRequestId?: string | undefined;
}

/** The answer of a coprocessor. A member that is undefined changes nothing. */
export interface Reply {
  /** Undefined at the stages of responses, where it may be left out. */
  readonly control: 'continue' | { readonly break: number } | undefined;
  readonly headers: ReadonlyMap<string, readonly string[]> | undefined;
  readonly body: unknown;
  readonly context: Entries | undefined;
  readonly uri: string | undefined;
}

const version = 1;

export function writeMessage(stage: CoprocessorStage, message: SentMessage): string {
  return JSON.stringify({
    version,
    stage,
    ...(stage.endsWith('Request') && { control: 'continue' }),
    ...message,
  });
}

/** @throws {Error} for an answer that is not one by the protocol */
export function readReply(text: string, stage: CoprocessorStage): Reply {
  const reply = parseReply(text);
  for (const [member, expected] of Object.entries({ version, stage })) {
    if (reply[member] !== expected) {
      throw new Error(
        `Coprocessor returned the wrong ${member}: expected \`${expected}\` found \`${written(reply[member])}\``,
      );
    }
  }
  const control = controlOf(reply['control']);
  if (control === undefined && stage.endsWith('Request')) {
    throw new Error(
      `Coprocessor response is missing the \`control\` parameter in the \`${stage}\` stage. You must specify "control": "continue" or "control": { "break": status }`,
    );
  }
  const { headers, body, context, uri } = reply;
  return {
    control,
    headers: headersOf(headers),
    body: body ?? undefined,
    context: entriesOf(context),
    uri: typeof uri === 'string' ? uri : undefined,
  };
}

function parseReply(text: string): Entries {
  try {
    const reply: unknown = parseJsonExactly(text);
    if (isRecord(reply)) {
      return reply;
    }
  } catch (error) {
    throw new Error('the response is not JSON', { cause: error });
  }
  throw new Error('the response is not a JSON object');
}

function controlOf(control: unknown): Reply['control'] {
  if (control === undefined || control === null) {
    return undefined;
  }
  if (control === 'continue') {
    return control;
  }
  const status = isRecord(control) ? control['break'] : undefined;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 999) {
    throw new Error(`\`control\` takes "continue" or { "break": status }, not ${written(control)}`);
  }
  return { break: status };
}

function headersOf(headers: unknown): Reply['headers'] {
  if (headers === undefined || headers === null) {
    return undefined;
  }
  if (!isRecord(headers) || !Object.values(headers).every(isListOfTexts)) {
    throw new Error('`headers` takes a list of texts for each name');
  }
  const fields = new Map<string, readonly string[]>();
  for (const [name, values] of Object.entries(headers)) {
    const key = name.toLowerCase();
    // As in Apollo Router, an empty list is the absence of the field.
    if (isListOfTexts(values) && values.length > 0 && key !== 'content-length') {
      fields.set(key, [...(fields.get(key) ?? []), ...values]);
    }
  }
  return fields;
}

function isListOfTexts(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

function entriesOf(context: unknown): Entries | undefined {
  if (context === undefined || context === null) {
    return undefined;
  }
  const entries = isRecord(context) ? (context['entries'] ?? {}) : undefined;
  if (!isRecord(entries)) {
    throw new Error('`context` takes an object with `entries`');
  }
  return entries;
}

/** For the log: a coprocessor must not decide how long a line is. */
function written(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, 200);
}
