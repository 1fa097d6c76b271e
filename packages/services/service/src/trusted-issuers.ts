import { jwksUrl } from '@meridian/auth';
import type { TrustedIssuer } from '@meridian/auth';
import { EnvironmentError, text, variable } from '@meridian/settings/environment';
import type { Environment, Mode } from '@meridian/settings/environment';

/**
 * The variables for the issuers that a service trusts. The first three are lists, separated by commas; entries at the
 * same position belong to the same issuer.
 */
export const issuerVariables = {
  JWT_ISSUER: variable(
    { takes: 'a text, or for several issuers one each, separated by commas', parse: list },
    {},
  ),
  JWKS_URL: variable({ takes: `${jwksUrl.takes}, for each issuer`, parse: urls }, {}),
  /** Several issuers need their tenants listed: otherwise one could name the tenants of another. */
  JWT_TENANTS: variable(
    {
      takes: 'for each issuer the tenants that it may name, separated by spaces, and the issuers by commas',
      parse: tenantLists,
    },
    { optional: true },
  ),
  JWT_AUDIENCE: variable(text, { default: 'meridian' }),
};

type IssuerEnvironment = Environment<typeof issuerVariables>;

/**
 * The values of those variables.
 *
 * Contract: Identity.
 *
 * @throws {EnvironmentError} when the lists do not match
 */
export function trustedIssuersOf(environment: IssuerEnvironment): readonly TrustedIssuer[] {
  const faults = mismatches(environment);
  if (faults.length > 0) {
    throw new EnvironmentError(faults);
  }
  const {
    JWT_ISSUER: issuers,
    JWKS_URL: jwksUrls,
    JWT_TENANTS: tenants,
    JWT_AUDIENCE: audience,
  } = environment;
  return issuers.flatMap((issuer, index) => {
    const location = jwksUrls[index];
    return location === undefined ? [] : { issuer, audience, jwksUrl: location, tenants: tenants?.[index] };
  });
}

function mismatches({ JWT_ISSUER: issuers, JWKS_URL: jwksUrls, JWT_TENANTS: tenants }: IssuerEnvironment) {
  const faults: string[] = [];
  if (new Set(issuers).size < issuers.length) {
    faults.push('JWT_ISSUER names an issuer twice');
  }
  if (jwksUrls.length !== issuers.length) {
    faults.push(mismatch('JWKS_URL', jwksUrls.length, issuers.length));
  }
  if (tenants !== undefined && tenants.length !== issuers.length) {
    faults.push(mismatch('JWT_TENANTS', tenants.length, issuers.length));
  }
  if (tenants === undefined && issuers.length > 1) {
    const { takes } = issuerVariables.JWT_TENANTS;
    faults.push(`JWT_TENANTS is not set, and is required with several issuers; it takes ${takes}`);
  }
  return faults;
}

function mismatch(name: string, count: number, issuerCount: number): string {
  return `${name} holds ${count} where JWT_ISSUER holds ${issuerCount}; it takes one for each issuer`;
}

function list(text: string): readonly string[] | undefined {
  const items = text.split(',').map((item) => item.trim());
  return items.includes('') ? undefined : items;
}

/** A URL may contain a comma: only a comma before a scheme separates. */
function urls(text: string, mode: Mode): readonly URL[] | undefined {
  const parsed = text.split(/,\s*(?=[a-z]+:\/\/)/i).map((item) => jwksUrl.parse(item, mode));
  return parsed.every((url) => url !== undefined) ? parsed : undefined;
}

function tenantLists(text: string): readonly (readonly string[])[] | undefined {
  return list(text)?.map((names) => names.split(/\s+/));
}
