/* The second order of a paddle that makes regular waves: the free waves in twice the frequency that
 * a paddle of the first order makes, and the displacement that makes none (Schaeffer 1996, Ocean
 * Engineering 23, 47-88, the superharmonics of one frequency). In double; d: depth of the water at
 * rest, m.
 *
 * A paddle displaced by X(z) sin(omega t) makes waves a cos(omega t - k x). To second order it also
 * makes Re(free exp(2 i omega t - i K x)), where (2 omega)^2 = g K tanh(K d), beside the harmonic
 * that is bound to the waves and travels with them. */
#ifndef SLUICE_MOTION_SECOND_ORDER_H
#define SLUICE_MOTION_SECOND_ORDER_H

/* The largest k d: above it the modes near the paddle are too many. */
#define SLUICE_SECOND_ORDER_KD 50

struct sluice_second_order {
    double free, phase;  /* amplitude of `free` over a^2/d; its argument, rad */
    double cosine, sine; /* of 2 omega t: the displacement at the surface against it, over a^2/d */
};

/* kd: k d, above 0, up to SLUICE_SECOND_ORDER_KD. hinge: of a flap, its height above the floor over
 * d, less than 1; below the floor it is negative. A piston: -INFINITY. */
struct sluice_second_order sluice_second_order_of(double kd, double hinge);
#endif
