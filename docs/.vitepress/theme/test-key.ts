import { ref } from 'vue';

/** The reader's, in memory alone: for all pages until the next reload. */
export const testKey = ref('');

export const isTestKey = (text: string): boolean => /^evk_test_[\x21-\x7e]+$/.test(text);
