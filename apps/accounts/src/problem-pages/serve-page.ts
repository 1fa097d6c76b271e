// Serves problem pages, and describes them in the OpenAPI document.
import type { RequestListener } from 'node:http';

import { publicDocument } from '@meridian/http';
import { text } from '@meridian/json';
import { publicDocumentResponses } from '@meridian/rest/openapi';
import type { HeaderDescription, ResponseDescription } from '@meridian/rest/openapi';

import { contentSecurityPolicy } from './stylesheet.ts';

const securityHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** Creates the listener that serves a page. */
export function pageDocument(page: string): RequestListener {
  return publicDocument({ mediaType: 'text/html', charset: 'utf-8', text: page, headers: securityHeaders });
}

export function pageResponses(description: string): Readonly<Record<number, ResponseDescription>> {
  return publicDocumentResponses(description, { 'text/html': text() }, securityHeaderDescriptions);
}

const securityHeaderDescriptions = Object.entries(securityHeaders).map(
  ([name, value]): HeaderDescription => ({
    name,
    isRequired: true,
    description: 'The page loads nothing, and cannot be framed.',
    schema: { type: 'string', const: value },
  }),
);
