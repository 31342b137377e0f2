import { createDashboard } from './dashboard.ts';
import { connectDatabase } from './database.ts';

export default createDashboard(connectDatabase);
