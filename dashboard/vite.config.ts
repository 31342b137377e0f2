import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { messages } from './messages.ts';

export default defineConfig({
  plugins: [messages(), react()],
  // Nothing is put into the page as text: the content security policy allows files alone.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2023' },
});
