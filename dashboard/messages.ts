import { join } from 'node:path';
import { type PluginObj, types } from '@babel/core';
import { getConfig } from '@lingui/conf';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import type { PluginOption } from 'vite';

const CONFIG = join(import.meta.dirname, 'lingui.config.ts');

const isMessage = ({ leadingComments }: types.Node): boolean =>
  leadingComments?.some(({ value }) => value.includes('i18n')) === true;

/** English is compiled where it stands: it comes with its screen, and a page needs no parser of messages (7 KB). */
const compiledMessages: PluginObj = {
  visitor: {
    Program: {
      // After the macros, which mark what they make.
      exit: (program) =>
        program.traverse({
          ObjectExpression: ({ node }) => {
            if (!isMessage(node)) return;
            for (const property of node.properties) {
              if (!types.isObjectProperty(property) || !types.isIdentifier(property.key, { name: 'message' })) continue;
              if (types.isStringLiteral(property.value))
                property.value = types.valueToNode(compileMessageOrThrow(property.value.value));
            }
          },
        }),
    },
  },
};

/** Through Babel: npm on Node 20 leaves out the binary of Lingui's own transform, which names a newer Node. */
const macros = () =>
  babel({
    include: /\.tsx?$/,
    presets: [
      {
        preset: {
          plugins: [
            [
              '@lingui/babel-plugin-lingui-macro',
              { linguiConfig: getConfig({ configPath: CONFIG }), descriptorFields: 'message' },
            ],
            compiledMessages,
          ],
        },
        rolldown: { filter: { code: /@lingui\/(?:core|react)\/macro/ } },
      },
    ],
  });

/** What makes messages of the texts in a source file. Pages are built with it, and tests of them run with it. */
export const messages = (): PluginOption[] => [macros(), ...lingui({ configPath: CONFIG, failOnCompileError: true })];
