/** The version of Federation that `@apollo/composition` composes at. A bundled program cannot read its package.json. */
export const federationVersion = '2.14.4';
