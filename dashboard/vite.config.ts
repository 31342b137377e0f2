import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // Nothing is put into the page as text: the content security policy allows files alone.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2023' },
});
