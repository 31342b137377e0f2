import { Page } from '../../parts/page.tsx';

export default function TryIt() {
  return (
    <Page title="Try it" description="One address: the number, and why.">
      …
    </Page>
  );
}
