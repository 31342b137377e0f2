import { Page } from '../../parts/page.tsx';
import { Calibration } from './calibration.tsx';
import { FirstStep } from './first-step.tsx';
import { Recommendations } from './recommendations.tsx';
import { Segments } from './segments.tsx';

/** What the account's own outcomes and events have taught. */
export default function Learning() {
  return (
    <Page
      title="Learning"
      description="What your own outcomes and events say of the number and of your signups. Everything here is counted once a night."
    >
      <FirstStep />
      <Calibration />
      <Segments />
      <Recommendations />
    </Page>
  );
}
