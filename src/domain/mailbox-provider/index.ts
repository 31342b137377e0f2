export {
  createMailHostClassifier,
  type MailboxProvider,
  type MailHostClassifier,
  type MailHostFacts,
} from './classify.ts';
