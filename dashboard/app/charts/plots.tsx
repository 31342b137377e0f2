import '@mantine/charts/styles.css';
import { BarChart, type BarChartProps, LineChart, type LineChartProps } from '@mantine/charts';

/** The library of charts comes with the first chart, not with the page. */

/** Props of the drawing, for the keyboard. The library passes them on, though its types don't say so. */
const named = (label: string): object => ({ 'aria-label': label });

interface PlotProps {
  /** What it shows, in a sentence. */
  readonly label: string;
}

export const Bars = ({ label, barChartProps, ...rest }: BarChartProps & PlotProps) => (
  <BarChart
    className="chart"
    withTooltip
    gridAxis={rest.orientation === 'vertical' ? 'none' : 'x'}
    tickLine="none"
    strokeDasharray="0"
    tooltipProps={{ cursor: { fill: 'var(--hover)' } }}
    tooltipAnimationDuration={0}
    barChartProps={{ ...named(label), ...barChartProps }}
    {...rest}
  />
);

export const Lines = ({ label, ...rest }: LineChartProps & PlotProps) => (
  <LineChart
    className="chart"
    gridAxis="x"
    tickLine="none"
    strokeDasharray="0"
    tooltipAnimationDuration={0}
    lineChartProps={named(label)}
    {...rest}
  />
);
