import type { IncomingHttpHeaders } from 'node:http';

/** The value of an item of the `baggage` of a request, W3C Baggage §3.3.1; undefined where it has none. */
export function baggageOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  for (const item of baggageField(headers)?.split(',') ?? []) {
    const [pair = ''] = item.split(';', 1);
    const end = pair.indexOf('=');
    if (end > 0 && pair.slice(0, end).trim() === name) {
      return decoded(pair.slice(end + 1).trim());
    }
  }
  return undefined;
}

/** The whole field. */
export function baggageField({ baggage }: IncomingHttpHeaders): string | undefined {
  return typeof baggage === 'object' ? baggage.join(',') : baggage;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
