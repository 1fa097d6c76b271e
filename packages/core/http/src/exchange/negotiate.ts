/**
 * The offered media type that an `Accept` header prefers, RFC 9110 §12.5.1; undefined when it accepts none of them. No
 * header, or an empty one, accepts anything: the first offer.
 *
 * Two forms outside the grammar are accepted, because Java's `HttpURLConnection` sends them by default: `*` for any
 * type, and a weight without its zero (`*; q=.2`).
 *
 * Only the first 100 ranges count: no client needs more, and each costs time.
 *
 * An offer has the quality of the most specific range that matches it. Among equals, the offer that is named more
 * specifically wins, then the one with the earlier range, then the earlier offer.
 */
export function negotiate<MediaType extends string>(
  accept: string | undefined,
  offers: readonly MediaType[],
): MediaType | undefined {
  if (accept === undefined || accept.trim() === '') {
    return offers[0];
  }
  const ranges = accept.split(',', maxRanges).flatMap((text, position) => parseRange(text, position) ?? []);
  const [best] = offers
    .map((offer) => ({ offer, range: mostSpecific(ranges.filter((range) => matches(range, offer))) }))
    .filter(({ range }) => range !== undefined && range.quality > 0)
    .toSorted((a, b) => comparePreference(a.range, b.range));
  return best?.offer;
}

/** The most media ranges of an `Accept` that are read. */
const maxRanges = 100;

/** The part of an `Accept` that is read, for a library that would read all of it. */
export function readableAccept(accept: string): string {
  return accept.split(',', maxRanges).join(',');
}

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** 2 for `type/subtype`, 1 for `type/*`, 0 for any. */
  readonly specificity: number;
  readonly position: number;
}

const rangePattern = /^(?<type>[\w!#$%&'*+.^`|~-]+)\/(?<subtype>[\w!#$%&'*+.^`|~-]+)$/;
const qualityPattern = /^(?:0(?:\.\d{0,3})?|\.\d{1,3}|1(?:\.0{0,3})?)$/;

/** Reads one element of the list; undefined for one that is malformed, or whose parameters no offer has. */
function parseRange(text: string, position: number): MediaRange | undefined {
  const [essence = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const { type, subtype } = rangePattern.exec(essence === '*' ? '*/*' : essence)?.groups ?? {};
  if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) {
    return undefined;
  }
  let quality = 1;
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=', 2).map((part) => part.trim());
    if (name === 'q') {
      if (!qualityPattern.test(value)) {
        return undefined;
      }
      quality = Number(value);
    } else if (name !== '' && !(name === 'charset' && /^"?utf-8"?$/.test(value))) {
      // Every offer is UTF-8 and has no other parameter.
      return undefined;
    }
  }
  return { type, subtype, quality, specificity: specificityOf(type, subtype), position };
}

function specificityOf(type: string, subtype: string): number {
  if (type === '*') {
    return 0;
  }
  return subtype === '*' ? 1 : 2;
}

function matches({ type, subtype }: MediaRange, offer: string): boolean {
  const [offerType, offerSubtype] = offer.split('/');
  return (type === '*' || type === offerType) && (subtype === '*' || subtype === offerSubtype);
}

function mostSpecific(ranges: readonly MediaRange[]): MediaRange | undefined {
  return ranges.toSorted((a, b) => b.specificity - a.specificity)[0];
}

function comparePreference(a: MediaRange | undefined, b: MediaRange | undefined): number {
  return a === undefined || b === undefined
    ? 0
    : b.quality - a.quality || b.specificity - a.specificity || a.position - b.position;
}
