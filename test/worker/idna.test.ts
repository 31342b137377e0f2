import { testNamesAgainstTr46 } from '../support/idna-suite.ts';

testNamesAgainstTr46(2_000);
