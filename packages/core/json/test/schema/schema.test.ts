import { describe, expect, it } from '@jest/globals';
import {
  decimalInt64,
  ignored,
  int64,
  array,
  named,
  nullable,
  object,
  oneOf,
  optional,
  jsonSchemaOf,
  printable,
  text,
  writeJson,
} from '@meridian/json';
import type { Schema } from '@meridian/json';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { faultOf } from './read-text.ts';

const balance = named('Balance', object({ minor_units: decimalInt64() }));

describe('The JSON Schema of a schema', () => {
  it('has the bounds of 64-bit integers digit for digit', () => {
    expect(writeJson(jsonSchemaOf(int64()))).toBe(
      '{"type":"integer","format":"int64","minimum":-9223372036854775808,"maximum":9223372036854775807}',
    );
  });

  it('refers to a named schema, or contains it when there is no place for named schemas', () => {
    const account = object({ balance });
    const referring = account.jsonSchema((name) => ({ $ref: `#/components/schemas/${name}` }));
    expect(referring['properties']).toEqual({ balance: { $ref: '#/components/schemas/Balance' } });
    expect(jsonSchemaOf(account)['properties']).toEqual({ balance: jsonSchemaOf(balance) });
  });

  const schemas: [string, Schema<unknown>][] = [
    ['int64', int64({ minimum: 1n })],
    ['decimalInt64', decimalInt64()],
    ['text', text({ pattern: printable, maxLength: 2 })],
    ['oneOf', oneOf(['a', 'b'])],
    ['nullable text', nullable(text())],
    ['nullable oneOf', nullable(oneOf(['a', 'b']))],
    ['nullable object', nullable(balance)],
    ['listOf', array(int64(), { maxItems: 2 })],
    [
      'object',
      object({ a: text(), b: optional(nullable(int64())), c: optional(ignored({ description: 'x' })) }),
    ],
    ['object without members', object({})],
  ];
  // A fault that only one of them sees (an integer as 1.0, a duplicate key) never reaches a validator.
  const texts = [
    'null true 0 1 3 4 -1',
    String.raw`"" "a" "b" "1" "01" "abc" "\u0000" "\ud83d\ude00\ud83d\ude00"`,
    '[] [1] ["1"] [1,2,3]',
    '{} {"minor_units":"1"} {"minor_units":1} {"b":1} {"a":"a","d":1}',
    '{"a":"a"} {"a":1} {"a":"a","b":1} {"a":"a","b":null} {"a":"a","b":"1"} {"a":"a","c":{}}',
  ].flatMap((line) => line.split(' '));

  it.each(schemas)('accepts exactly what the schema reads: %s', (_name, schema) => {
    const takes = new Ajv2020({ strictTypes: false, formats: { int64: true } }).compile(
      JSON.parse(writeJson(jsonSchemaOf(schema))) as object,
    );
    const byJsonSchema = texts.filter((json) => takes(JSON.parse(json)));
    const bySchema = texts.filter((json) => faultOf(schema, json) === undefined);
    expect(bySchema).toEqual(byJsonSchema);
    expect(bySchema).not.toHaveLength(0);
  });
});
