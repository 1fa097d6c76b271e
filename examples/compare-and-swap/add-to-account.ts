// Adds an amount to an account, without losing what others write meanwhile.
import process from 'node:process';

const url = 'http://127.0.0.1:4001/accounts/savings';
const version2 = 'application/vnd.meridian.account.v2+json'; // exact in JavaScript: amounts are texts
const headers = { Authorization: `Bearer ${process.env['TOKEN']}`, Accept: version2 };

/** Reads, changes and writes; again from the start whenever another writer was first. */
async function add(minorUnits: bigint): Promise<bigint> {
  for (;;) {
    const read = await fetch(url, { headers });
    const { balance } = (await read.json()) as { balance: { minor_units: string } };
    const sum = BigInt(balance.minor_units) + minorUnits;

    const write = await fetch(url, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': version2, 'If-Match': read.headers.get('ETag') ?? '' },
      body: JSON.stringify({ balance: { minor_units: String(sum) } }),
    });
    if (write.ok) {
      return sum;
    }
    if (write.status !== 412) {
      throw new Error(await write.text());
    }
  }
}

// Ten at once: each write succeeds only on the state that it was computed from.
const sums = await Promise.all(Array.from({ length: 10 }, () => add(100n)));
console.log(`${sums.length} additions; the highest balance is ${sums.reduce((a, b) => (a > b ? a : b))}`);
