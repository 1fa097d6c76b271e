export { type AnswerChecker, createAnswerChecker, type ObservedAnswer } from './response-checker.ts';
export { documentedAnswers, documentedFetch, type DocumentedFetch } from './documented-responses.ts';
export { openApiFaults } from './openapi-faults.ts';
