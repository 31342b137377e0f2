import { Page } from '../../parts/page.tsx';
import { Activity } from './activity.tsx';
import { Checklist } from './checklist.tsx';
import { Month } from './month.tsx';
import { Recent } from './recent.tsx';

/** The account at a glance. Each panel waits and fails by itself. */
export default function Overview() {
  return (
    <Page title="Overview">
      <Checklist />
      <Month />
      <Activity />
      <Recent />
    </Page>
  );
}
