import { Page } from '../../parts/page.tsx';
import { Activity } from './activity.tsx';
import { Checklist } from './checklist.tsx';
import { Look } from './look.tsx';
import { Month } from './month.tsx';
import { Recent } from './recent.tsx';

/** The account at a glance. Each panel waits and fails by itself. */
export default function Overview() {
  return (
    <Page
      title="Overview"
      description="What this month has used, and the last 30 days beside the 30 before: they show what changed."
    >
      <Checklist />
      <Look />
      <Month />
      <Activity />
      <Recent />
    </Page>
  );
}
