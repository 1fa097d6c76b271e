import type { IncomingMessage } from 'node:http';

/** The header field of a response that has applied `prefersRepresentation`. */
export const preferenceApplied = { 'Preference-Applied': 'return=representation' } as const;

/** True when a write prefers the resource as it is afterwards in its response: `Prefer: return=representation` (RFC 7240 §4.2). */
export function prefersRepresentation(request: IncomingMessage): boolean {
  const preferences = String(request.headers['prefer'] ?? '').split(',');
  // Of a preference that is given twice, the first counts (§2).
  const returns = preferences.map((preference) => pattern.exec(preference)?.groups?.['value']).find(Boolean);
  return returns?.toLowerCase() === 'representation';
}

const pattern = /^[ \t]*return[ \t]*=[ \t]*"?(?<value>[a-z]+)"?[ \t]*(?:;.*)?$/iu;
