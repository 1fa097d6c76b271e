/** The editors' web workers, from where the page is from: its content security policy forbids all others. */
const environment = {
  getWorker(_id: string, language: string): Worker {
    const name = language === 'graphql' || language === 'json' ? language : 'editor';
    return new Worker(new URL(`${name}.worker.js`, import.meta.url));
  },
};

// Where Monaco looks for it.
Object.assign(globalThis, { MonacoEnvironment: environment });
