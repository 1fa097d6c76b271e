// Writes the types of a service's API, from its OpenAPI document: node generate.ts <url of the document> <file>
import { writeFileSync } from 'node:fs';
import process from 'node:process';

import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const [, , document = '', file = ''] = process.argv;

const types = await openapiTS(new URL(document), {
  // An integer that a JavaScript number cannot hold is a bigint.
  transform: (schema) =>
    'maximum' in schema && Number(schema.maximum) > Number.MAX_SAFE_INTEGER
      ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
      : undefined,
});
writeFileSync(file, astToString(types));
console.log(`wrote ${file}`);
