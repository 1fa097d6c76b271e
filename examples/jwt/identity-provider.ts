// Takes the place of an identity provider: it publishes its public keys, and signs a token for anyone who asks.
import { createServer } from 'node:http';

import { SignJWT, exportJWK, generateKeyPair } from 'jose';

const issuer = 'http://127.0.0.1:4176/';
const { publicKey, privateKey } = await generateKeyPair('ES256');
const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' }] };

async function signToken(scope: string): Promise<string> {
  return await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
    .setIssuer(issuer)
    .setAudience('notes-api')
    .setSubject('alice')
    .setIssuedAt()
    .setExpirationTime('5 minutes')
    .sign(privateKey);
}

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', issuer);
  const respond = async (): Promise<void> => {
    response.end(
      pathname === '/.well-known/jwks.json'
        ? JSON.stringify(keys)
        : await signToken(searchParams.get('scope') ?? ''),
    );
  };
  void respond();
}).listen(4176, '127.0.0.1', () => console.log(`identity provider: ${issuer}`));
