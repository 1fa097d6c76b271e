import { describe, expect, it } from '@jest/globals';
import { jwksUrl } from '@meridian/auth';

const secure = ['https://issuer.example/jwks.json', 'https://10.0.0.1:8443/', 'HTTPS://issuer.example/a?b=c'];

const local = [
  'file:///run/identity/jwks.json',
  'http://localhost:3000/jwks.json',
  'http://127.0.0.1/jwks.json',
  'http://127.1.2.3:8080/',
  'http://[::1]:3000/',
  'http://2130706433/', // 127.0.0.1 as one number
];

const unsafe = [
  'http://issuer.example/jwks.json',
  'http://localhost.issuer.example/',
  'http://127.0.0.1.issuer.example/',
  'http://10.0.0.1/',
  'http://0.0.0.0/',
  'http://[::ffff:10.0.0.1]/',
  'file://server/share/jwks.json',
  'ftp://127.0.0.1/jwks.json',
  'data:application/json,{"keys":[]}',
  'https://user:password@issuer.example/',
  'https://user@issuer.example/',
  '/run/identity/jwks.json',
  'issuer.example',
  '',
];

describe('jwksUrl.parse', () => {
  it.each(secure)('accepts %s in production and in development', (text) => {
    expect(jwksUrl.parse(text, 'production')).toEqual(new URL(text));
    expect(jwksUrl.parse(text, 'development')).toEqual(new URL(text));
  });

  it.each(local)('accepts %s in development only', (text) => {
    expect(jwksUrl.parse(text, 'production')).toBeUndefined();
    expect(jwksUrl.parse(text, 'development')).toEqual(new URL(text));
  });

  it('accepts http:// to a host that the operator lists, and to no other', () => {
    const hosts = ['Users.svc.cluster.local'];
    const parse = (text: string): URL | undefined =>
      jwksUrl.parse(text, 'production', { plainHttpHosts: hosts });
    expect(parse('http://users.svc.cluster.local:8080/jwks.json')?.port).toBe('8080');
    expect(parse('http://users.svc.cluster.local.issuer.example/')).toBeUndefined();
    expect(parse('http://user:password@users.svc.cluster.local/')).toBeUndefined();
    expect(parse('ftp://users.svc.cluster.local/')).toBeUndefined();
  });

  it('accepts a file:// URL of this machine in production where the operator allows files', () => {
    const parse = (text: string): URL | undefined =>
      jwksUrl.parse(text, 'production', { areFilesAllowed: true });
    expect(parse('file:///run/secrets/jwks.json')?.pathname).toBe('/run/secrets/jwks.json');
    expect(parse('file://host.example/jwks.json')).toBeUndefined();
    expect(parse('http://127.0.0.1/jwks.json')).toBeUndefined();
  });

  it.each(unsafe)('refuses %j in production and in development', (text) => {
    expect(jwksUrl.parse(text, 'production')).toBeUndefined();
    expect(jwksUrl.parse(text, 'development')).toBeUndefined();
  });
});
