# Sluice with its pictures, from the wheel; EXTRAS=look adds movies, surfaces and reports, and
# doubles the image:
#
#   make wheel
#   docker build -t sluice .                              or with --build-arg EXTRAS=look
#   docker run --rm -v "$PWD:/data" --user "$(id -u):$(id -g)" sluice run my.cfg
#                                                         any command of sluice, files in /data
FROM debian:bookworm-slim
ARG EXTRAS=pictures
RUN apt-get update && \
    apt-get install -y --no-install-recommends python3-venv && \
    rm -rf /var/lib/apt/lists/*
COPY build/packages/sluice_sph-*[0-9]-py3-*.whl /tmp/
RUN python3 -m venv /opt/sluice && \
    /opt/sluice/bin/pip install --no-cache-dir "$(echo /tmp/sluice_sph-*.whl)[$EXTRAS]" && \
    rm /tmp/sluice_sph-*.whl
# Caches of a user who has no home here
ENV HOME=/tmp
ENV PATH=/opt/sluice/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /data
ENTRYPOINT ["sluice"]
CMD ["help"]
