import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { Layout } from './layout.ts';
import { TryIt } from './try-it.ts';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('TryIt', TryIt);
  },
};

export default theme;
