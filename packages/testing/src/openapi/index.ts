export { type AnswerChecker, createAnswerChecker, type ObservedAnswer } from './answer-checker.ts';
export { documentedAnswers, documentedFetch, type DocumentedFetch } from './documented-answers.ts';
export { openApiFaults } from './openapi-faults.ts';
