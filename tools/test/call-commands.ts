// Calls commands one after another in this process, and prints how each ended: a Node process a call takes most of the
// time of a test. The calls are in the arguments, each as JSON: the file, and the arguments after it.
import process from 'node:process';

const write = process.stdout.write.bind(process.stdout);

for (const [index, text] of process.argv.slice(2).entries()) {
  const [file = '', ...args]: readonly string[] = JSON.parse(text);
  const ending = { exitCode: 0, stdout: '', stderr: '' };
  for (const output of ['stdout', 'stderr'] as const) {
    process[output].write = (chunk: string | Uint8Array): boolean => {
      ending[output] += String(chunk);
      return true;
    };
  }
  process.argv = [process.execPath, file, ...args];
  process.exitCode = 0;
  await import(`${file}?call=${index}`);
  ending.exitCode = process.exitCode;
  write(`${JSON.stringify(ending)}\n`);
}
process.exitCode = 0;
