// A retired route or representation. Callers learn it from the header fields of its responses, and from the document.
import type { JsonObject } from '@meridian/json';

import type { Content, Deprecation, HeaderDescription, Operation } from './operation.ts';

/** The header fields that announce it: RFC 9745, sections 2 and 3, and RFC 8594, section 3. None for undefined. */
export function deprecationFields(
  deprecation: Deprecation | undefined,
): readonly (readonly [name: string, value: string])[] {
  if (deprecation === undefined) {
    return [];
  }
  const { since, sunset, link } = deprecation;
  return [
    ['Deprecation', `@${Math.floor(since.getTime() / 1000)}`],
    ...(sunset === undefined ? [] : [['Sunset', sunset.toUTCString()] as const]),
    ...(link === undefined ? [] : [['Link', `<${link}>; rel="deprecation"`] as const]),
  ];
}

/** A media type of a response that is retired. */
export function deprecated(media: Content[string], deprecation: Deprecation): Content[string] {
  return { jsonSchema: (reference) => ({ ...media.jsonSchema(reference), deprecated: true }), deprecation };
}

/** The media types that a successful response can have; `Accept` chooses one. */
export function representationsOf({ responses }: Operation): Content {
  return Object.assign({}, ...Object.values(responses).map(({ content }) => content));
}

/**
 * The fields as they are documented. Problems of framing come before the route, and lack them; so does a success in a
 * representation that is not retired.
 */
export function deprecationHeaders(
  operation: Operation,
  response: 'success' | 'problem',
): readonly HeaderDescription[] {
  const always = new Map(deprecationFields(operation.deprecation));
  const sometimes = Object.values(representationsOf(operation)).flatMap(({ deprecation }) =>
    deprecationFields(deprecation),
  );
  const names = new Map([...always, ...sometimes]);
  return descriptions
    .filter(([name]) => names.has(name))
    .map(([name, description, schema]) => ({
      name,
      isRequired: response === 'success' && always.has(name),
      description,
      schema,
    }));
}

const descriptions: readonly (readonly [name: string, description: string, schema: JsonObject])[] = [
  [
    'Deprecation',
    'Since when this is deprecated, in seconds since 1970 (RFC 9745).',
    { type: 'string', pattern: '^@[0-9]+$' },
  ],
  ['Sunset', 'When this is expected to stop responding (RFC 8594).', { type: 'string' }],
  ['Link', 'With `rel="deprecation"`: a page about it.', { type: 'string' }],
];
