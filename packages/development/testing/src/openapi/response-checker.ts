// Checks responses of a service by its OpenAPI document. Stricter than OpenAPI: an undocumented response, header field
// or body is a fault.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';

/** A response with its request. */
export interface ObservedResponse {
  readonly method: string;
  /** Path and query of the request. */
  readonly target: string;
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface ResponseChecker {
  /** One line for each difference from the document; empty for a response that matches. */
  readonly faultsOf: (response: ObservedResponse) => string[];
}

/** Header fields of the connection and of the message's framing, which OpenAPI does not describe. */
const framing = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/** @param text the document, as served */
export function createResponseChecker(text: string): ResponseChecker {
  const document: unknown = JSON.parse(text);
  const check = createSchemaValidator(document);
  const paths = Object.keys(Object(memberAt(document, ['paths']))).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  return {
    faultsOf(response) {
      const [path = ''] = response.target.split('?', 1);
      const template = paths.find(({ pattern }) => pattern.test(path))?.template;
      const method = response.method === 'HEAD' ? 'get' : response.method.toLowerCase();
      const operation = template === undefined ? [] : ['paths', template, method];
      if (!isRecord(memberAt(document, operation)) || template === undefined) {
        return undocumentedResponse(response, check);
      }
      const at = resolve(document, [...operation, 'responses', String(response.status)]);
      if (at === undefined) {
        return [`${response.method} ${template} has no response ${response.status}`];
      }
      const place = `${response.method} ${template} ${response.status}`;
      return [
        ...headerFaults(document, at, response, check),
        ...bodyFaults(document, at, response, check),
      ].map((fault) => `${place}: ${fault}`);
    },
  };
}

/** A request outside the document's operations gets a redirect, or a problem that says so. */
function undocumentedResponse(
  { status, headers, body, method, target }: ObservedResponse,
  check: SchemaValidator,
): string[] {
  if (status === 301) {
    return headers['location'] === undefined ? [`${target} redirects nowhere`] : [];
  }
  if (![400, 404, 405].includes(status)) {
    return [`${method} ${target} is not in the document`];
  }
  if (method === 'HEAD') {
    return [];
  }
  return check(['components', 'schemas', 'Problem'], parseJson(body)).map(
    (fault) => `${method} ${target}: ${fault}`,
  );
}

function headerFaults(
  document: unknown,
  at: readonly string[],
  response: ObservedResponse,
  check: SchemaValidator,
): string[] {
  const described = Object.entries(Object(memberAt(document, [...at, 'headers'])));
  const names = new Set(described.map(([name]) => name.toLowerCase()));
  const unknown = Object.keys(response.headers).filter((name) => !framing.has(name) && !names.has(name));
  return [
    ...unknown.map((name) => `the header ${name} is not in the document`),
    ...described.flatMap(([name, header]) => {
      const value = response.headers[name.toLowerCase()];
      if (value === undefined) {
        return memberAt(header, ['required']) === true ? [`the header ${name} is missing`] : [];
      }
      return check([...at, 'headers', name, 'schema'], fieldValue(value, header)).map(
        (fault) => `the header ${name} ${fault}`,
      );
    }),
  ];
}

/** A field value is a string, of any meaning. */
function fieldValue(value: string | readonly string[], header: unknown): unknown {
  return memberAt(header, ['schema', 'type']) === 'integer' ? Number(value) : value;
}

function bodyFaults(
  document: unknown,
  at: readonly string[],
  response: ObservedResponse,
  check: SchemaValidator,
): string[] {
  const content = memberAt(document, [...at, 'content']);
  if (content === undefined || response.method === 'HEAD') {
    return response.body === '' ? [] : ['has a body'];
  }
  if (
    response.body === '' &&
    bodyIsPreferred(document, at) &&
    response.headers['preference-applied'] === undefined
  ) {
    return [];
  }
  const mediaType = withoutCharset(String(response.headers['content-type']));
  if (memberAt(content, [mediaType]) === undefined) {
    return [`the media type ${mediaType} is not in the document`];
  }
  const body = mediaType.endsWith('json') ? parseJson(response.body) : response.body;
  return check([...at, 'content', mediaType, 'schema'], body).map((fault) => `the body ${fault}`);
}

/** A response that has its content only where the request prefers it (RFC 7240). */
function bodyIsPreferred(document: unknown, at: readonly string[]): boolean {
  return memberAt(document, [...at, 'headers', 'Preference-Applied']) !== undefined;
}

/** Text has this parameter. JSON has none, so it is a fault there. */
function withoutCharset(contentType: string): string {
  return contentType.startsWith('text/') ? contentType.replace(/; charset=utf-8$/, '') : contentType;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The definition of a response: itself, or the target of its reference. */
function resolve(document: unknown, at: readonly string[]): readonly string[] | undefined {
  const response = memberAt(document, at);
  if (!isRecord(response)) {
    return undefined;
  }
  const { $ref: reference } = response;
  return typeof reference === 'string' ? reference.split('/').slice(1) : at;
}

/** Checks a value by the schema at a path of names in a document: one line for each fault. */
type SchemaValidator = (path: readonly string[], value: unknown) => string[];

function createSchemaValidator(document: unknown): SchemaValidator {
  // Not strict, because the document has members that JSON Schema does not know.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(Object(document), 'openapi');
  return (path, value) => {
    const pointer = path.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`);
    if (validate === undefined) {
      throw new Error(`the document has no schema at /${path.join('/')}`);
    }
    if (validate(value) === true) {
      return [];
    }
    return (validate.errors ?? []).map(({ instancePath, message = 'is wrong' }) =>
      `${instancePath} ${message}`.trim(),
    );
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of a document at a path of names; undefined if there is none. */
function memberAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value: unknown, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    document,
  );
}
