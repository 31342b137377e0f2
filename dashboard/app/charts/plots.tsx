import '@mantine/charts/styles.css';
import { BarChart, type BarChartProps, LineChart, type LineChartProps } from '@mantine/charts';

/** Imported lazily, so that the chart library is not part of the first load. */

/** Keyboard props, which the library passes on although its types lack them. */
const named = (label: string): object => ({ 'aria-label': label });

interface PlotProps {
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
